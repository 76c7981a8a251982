/** The note of changes that bring a schedule to what a manifest declares; the page tells them from those of people by it. */
export const declaredNote = 'as declared';
