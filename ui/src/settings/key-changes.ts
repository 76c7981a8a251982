/** The namespace under which the server keeps the audit of API keys. */
export const keysNamespace = '@keys';

export const keyChanges = [keysNamespace, 'audit'] as const;
