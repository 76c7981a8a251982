// The entry points that a web page may use.
import { CarillonClient } from 'carillon/client';
import { readCrontab } from 'carillon/doctor';
import { compileSpec, validateSpec } from 'carillon/spec';

globalThis.carillonInBrowser = { CarillonClient, compileSpec, readCrontab, validateSpec };
