// Loaded before a script: the name of a service leads to this machine, as the network of a compose
// file would have it.
import dns from 'node:dns'

const { lookup } = dns
dns.lookup = (name, ...rest) => lookup(name === 'greenhouse' ? '127.0.0.1' : name, ...rest)
