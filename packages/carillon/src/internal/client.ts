/** Only for `@carillon/server` of the same version; may change without notice. */
export { pause } from '../client/pause.ts';
