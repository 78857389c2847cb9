describe('the page of plants', () => {
  it('lists a plant that was added', () => {
    cy.visitPlants()
    cy.get('[role=status]').should('have.text', '0 plants')
    cy.get('[name=id]').type('1001')
    cy.get('[name=name]').type('Ficus')
    cy.contains('button', 'Add').click()
    cy.get('li').should('have.text', 'Ficus')
    cy.calls({ operation: 'plants.create' }).should('have.length', 1)
  })

  it('has nothing of the other tests', () => {
    cy.visitPlants()
    cy.get('[role=status]').should('have.text', '0 plants')
  })

  it('tells of an expired key', () => {
    cy.useScenarios('expired-key')
    cy.visitPlants()
    cy.get('[role=status]').should('have.text', 'Your key has expired. Please get a new one.')
  })

  it('is told of a key that lasts a day after that day', () => {
    cy.useScenarios('expired-key:after=24h')
    cy.visitPlants()
    cy.get('[role=status]').should('have.text', '0 plants')
    cy.advance('24h')
    cy.reload()
    cy.get('[role=status]').should('have.text', 'Your key has expired. Please get a new one.')
  })
})
