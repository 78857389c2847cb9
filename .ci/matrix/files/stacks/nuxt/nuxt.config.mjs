export default { srcDir: '.', telemetry: false, devtools: { enabled: false } }
