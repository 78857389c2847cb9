/** Events after which records may have changed. */
export const recordEvents = ['records', 'keys', 'world', 'reload'] as const
