// Two tests that fail, and one that passes, to show what is printed.
const openPage = (service) =>
  browser.url(`${process.env.SITE_URL}/?service=${encodeURIComponent(service)}`)

describe('what a failure prints', () => {
  it('fails, and prints its requests', async () => {
    await browser.world.use('server-error')
    await openPage(browser.world.plantsUrl)
    await expect($('[role=status]')).not.toHaveText('')
    expect(await $('[role=status]').getText()).toBe('0 plants')
  })

  it('forgets its world', async () => {
    await openPage(process.env.GREENHOUSE_URL)
    await expect($('[role=status]')).toHaveText('0 plants')
  })

  it('passes', async () => {
    await openPage(browser.world.plantsUrl)
    await expect($('[role=status]')).toHaveText('0 plants')
  })
})
