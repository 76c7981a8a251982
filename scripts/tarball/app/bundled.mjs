// The small app of the matrix, as a bundler takes it: without top-level await, which CommonJS does not have.
import * as library from 'carillon';
import { exercise } from './exercise.mjs';

exercise(library).then((result) => console.log(JSON.stringify(result)));
