interface World {
  name: string
  plantsUrl: string
  appsUrl: string
}

interface Call {
  operation?: string
  request: { method: string; url: string }
  response: { status: number }
}

declare global {
  namespace Cypress {
    interface Chainable {
      /** Opens the page, which calls the world of this test. */
      visitPlants(): Chainable<AUTWindow>
      /** Switches scenarios on, in place of the active ones: cy.useScenarios('expired-key'). */
      useScenarios(...scenarios: string[]): Chainable<null>
      /** Moves the clock of the world: cy.advance('2h'). */
      advance(time: string): Chainable<null>
      /** The requests that the world received. */
      calls(query?: Record<string, string>): Chainable<Call[]>
    }
  }
}

let world: World

beforeEach(() => {
  cy.task<World>('startWorld').then((started) => {
    world = started
  })
})

afterEach(function () {
  const { title, state } = this.currentTest!
  cy.task('endWorld', { world: world.name, title, failed: state === 'failed' })
})

Cypress.Commands.add('visitPlants', () =>
  cy.visit(`/page.html?service=${encodeURIComponent(world.plantsUrl)}`),
)
Cypress.Commands.add('useScenarios', (...scenarios) =>
  cy.task<null>('useScenarios', { world: world.name, scenarios }),
)
Cypress.Commands.add('advance', (time) => cy.task<null>('advance', { world: world.name, time }))
Cypress.Commands.add('calls', (query) => cy.task<Call[]>('calls', { world: world.name, query }))

export {}
