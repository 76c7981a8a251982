/** `node:sqlite` for Node versions without it; see README.md. */
module.exports = require('@photostructure/sqlite');
