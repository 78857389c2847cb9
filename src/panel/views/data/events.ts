/** Events after which records may have changed. */
export const recordEvents = ['records', 'keys'] as const
