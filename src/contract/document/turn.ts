import { setImmediate } from '../../core/time/system-time.ts'

/** Lets a server answer others before the next part: a whole document takes longer than any of them should wait. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
