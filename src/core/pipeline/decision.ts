/** Whether an effect acts on a request, and why: in words, or as what makes them of a count when somebody reads them. */
export interface Decision {
  readonly due: boolean
  readonly why: string | ((count: number) => string)
  /** Which one it is of the requests that the effect is meant for. */
  readonly count?: number
}
