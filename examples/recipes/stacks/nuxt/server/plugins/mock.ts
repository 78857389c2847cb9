import { start } from '../mock'

export default defineNitroPlugin(() => {
  if (import.meta.dev) start()
})
