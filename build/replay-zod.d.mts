import type * as z from 'zod/mini'
/** The same schema of zod itself, made by the same calls. */
export function replay<T extends z.core.$ZodType>(schema: T): z.ZodMiniType<z.output<T>, z.input<T>>
/** Of a schema of zod the one that it was made of, if it was. */
export function sourceOf<T>(schema: T): T
