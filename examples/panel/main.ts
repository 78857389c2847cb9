/// <reference types="vite/client" />

// A production build has nothing of it: the condition is false there, and the bundler drops what
// only it imports.
if (import.meta.env.DEV) await import('./mock.ts')

document.querySelector('#app')!.textContent = 'Your application starts here.'
