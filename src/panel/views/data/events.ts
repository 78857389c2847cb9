/** Events after which records may be others. */
export const recordEvents = ['records', 'keys', 'world', 'reload'] as const
