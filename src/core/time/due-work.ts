export interface DueNote {
  readonly kind: string
  /** One sentence without a full stop: `The purchase pur_1 of 100 credits settles`. */
  readonly title: string
  readonly subject?: { readonly collection: string; readonly id: string }
}

export interface DueWork extends DueNote {
  /** When, in milliseconds since 1970 on the world's clock. */
  readonly at: number
}
