// `greenhouse-mock run` chooses a free port, and says where it is.
const greenhouse = process.env['GREENHOUSE_URL'] ?? 'http://127.0.0.1:4010'

// Expressions: the prefix '/plants' would take the module /plants.ts too.
export default { server: { proxy: { '^/plants([/?]|$)': greenhouse, '^/v1/': greenhouse } } }
