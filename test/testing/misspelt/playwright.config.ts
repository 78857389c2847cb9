import config from '../pages/playwright.config.ts'

export default {
  ...config,
  testDir: '.',
  projects: [
    { name: 'option', use: { greenhouseOptions: { sed: 1 } } },
    { name: 'base', use: { greenhouseBases: { plant: 'https://plants.example.com' } } },
    { name: 'relative', use: { greenhouseBases: { plants: '/plants' } } },
    { name: 'check', use: { greenhouseOptions: { strict: { worlds: true } } } },
    { name: 'fixture', use: { greenhouseBase: { plants: 'https://plants.example.com' } } },
  ],
}
