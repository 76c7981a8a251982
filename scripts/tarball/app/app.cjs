// The small app of the matrix, as CommonJS.
const library = require('carillon');

import('./exercise.mjs')
  .then(({ exercise }) => exercise(library))
  .then((result) => console.log(JSON.stringify(result)));
