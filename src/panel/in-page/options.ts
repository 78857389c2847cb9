/** The side of the drawer; its button is in that corner. */
export type PanelPosition = 'bottom' | 'left' | 'right'

/** The options of `mountPanel`. All of them are optional. */
export interface MountOptions {
  /** The world that the panel shows first: `default` by default. The browser tab remembers the world that you select later. */
  world?: string | undefined
  /** Whether the drawer is open at once. By default, it is closed at first, and stays as you left it when the page reloads. */
  open?: boolean | undefined
  /** The side of the drawer: `bottom` by default. */
  position?: PanelPosition | undefined
  /** The base URL of Area A in this page: plants are at `<plants>/plants`. By default, that of `createHandlers`. */
  plants?: string | undefined
  /** The base URL of Area B in this page, with its version. By default, that of `createHandlers`. */
  apps?: string | undefined
}

/** The panel in a page. */
export interface MountedPanel {
  /** Opens the drawer. Closes the drawer of another panel in the page. */
  open(): void
  /** Closes the drawer, and moves the focus to its button. A closed panel gets no updates. */
  close(): void
  /** Removes the button and the drawer. */
  unmount(): void
}
