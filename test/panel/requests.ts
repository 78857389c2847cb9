import type { Locator, Page } from 'playwright-core'

/** The lines of the traffic, the newest first. */
export function requestsOf(page: Page): Locator {
  return page.getByRole('listbox', { name: 'Requests' }).getByRole('option')
}
