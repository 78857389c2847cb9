export const recordEvents = ['records', 'keys'] as const
