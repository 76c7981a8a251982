// The small app of the matrix, as an ES module.
import * as library from 'carillon';
import { exercise } from './exercise.mjs';

console.log(JSON.stringify(await exercise(library)));
