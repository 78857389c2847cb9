import { loadWorld, type StoryContext } from '../../examples/panel/storybook.ts'

declare global {
  /** Shows a story as Storybook does: the loaders first. Gives the status that its request gets. */
  var showStory: (story: StoryContext) => Promise<number>
}

globalThis.showStory = async (story) => {
  const { world } = await loadWorld(story)
  const response = await fetch('https://api.example.com/v1/apps', {
    headers: { authorization: `Bearer ${world.key('key_pro')}` },
  })
  await response.text()
  return response.status
}
globalThis.isReady = true
