// `greenhouse-mock run` chooses a free port, and says where it is.
const greenhouse = process.env['GREENHOUSE_URL'] ?? 'http://127.0.0.1:4010'

export default { server: { proxy: { '/plants': greenhouse, '/v1': greenhouse } } }
