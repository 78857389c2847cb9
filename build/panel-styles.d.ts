declare module 'panel-styles' {
  /** The style sheets of the panel, for a shadow root. */
  const css: string
  export default css
}
