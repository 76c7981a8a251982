/** For `@carillon/server` of the same version only; no promises. */
export { pause } from '../client/pause.ts';
