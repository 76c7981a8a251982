export function notTested(what: string): void;
export function readNotTested(): readonly string[];
