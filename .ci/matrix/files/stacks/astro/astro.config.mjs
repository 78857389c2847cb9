export default { output: 'server', telemetry: false }
