/** Whether a source has changed since the last build, or there was none. */
export function isStale(): boolean
