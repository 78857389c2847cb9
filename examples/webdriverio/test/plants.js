const openPage = () =>
  browser.url(`${process.env.SITE_URL}/?service=${encodeURIComponent(browser.world.plantsUrl)}`)

describe('the page of plants', () => {
  it('lists a plant that was added', async () => {
    await openPage()
    await expect($('[role=status]')).toHaveText('0 plants')
    await $('[name=id]').setValue('1001')
    await $('[name=name]').setValue('Ficus')
    await $('button').click()
    await expect($('li')).toHaveText('Ficus')
    expect(await browser.world.calls({ operation: 'plants.create' })).toHaveLength(1)
  })

  it('has nothing of the other tests', async () => {
    await openPage()
    await expect($('[role=status]')).toHaveText('0 plants')
  })

  it('tells of an expired key', async () => {
    await browser.world.use('expired-key')
    await openPage()
    await expect($('[role=status]')).toHaveText('Your key has expired. Please get a new one.')
  })

  it('works again after the trouble', async () => {
    await browser.world.use('server-error')
    await openPage()
    await expect($('[role=status]')).toHaveText(
      'The plants are out of reach. Please try again later.',
    )
    await browser.world.clear()
    await browser.refresh()
    await expect($('[role=status]')).toHaveText('0 plants')
  })

  it('is told of a key that lasts a day after that day', async () => {
    await browser.world.use('expired-key:after=24h')
    await openPage()
    await expect($('[role=status]')).toHaveText('0 plants')
    await browser.world.advance('24h')
    await browser.refresh()
    await expect($('[role=status]')).toHaveText('Your key has expired. Please get a new one.')
  })
})
