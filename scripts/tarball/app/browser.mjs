// The entry points that a web page may use.
import { CarillonClient } from 'carillon/client';
import { compileSpec, validateSpec } from 'carillon/spec';

globalThis.carillonInBrowser = { CarillonClient, compileSpec, validateSpec };
