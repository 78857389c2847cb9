import { setImmediate } from '../../core/time/system-time.ts'

/** Lets other requests run: a whole document takes longer than they should wait. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
