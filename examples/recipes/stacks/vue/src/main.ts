import { createApp } from 'vue'
import App from './App.vue'

if (import.meta.env.DEV) await import('./mock')

createApp(App).mount('#app')
