/** What both APIs carry, as TypeScript types alone. */
export type * from './further-replies.ts'
export type * from './replies-and-events.ts'
export type * from './requests.ts'
