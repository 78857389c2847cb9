import { defineConfig } from 'cypress'
import { tasks } from './tasks.js'

export default defineConfig({
  e2e: {
    // Your own development server: `npx serve .` serves page.html there.
    baseUrl: 'http://localhost:3000',
    setupNodeEvents(on) {
      on('task', tasks)
    },
  },
})
