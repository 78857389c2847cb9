/** The method of a request, as wide as the longest. */
export function Method({ method }: { readonly method: string }) {
  return <span class={`docs-method docs-method-${method.toLowerCase()}`}>{method}</span>
}
