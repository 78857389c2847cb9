#!/bin/sh
# Starts four Greenhouse processes and then the proxy in front of them; ends all of them on Ctrl-C and SIGTERM.
# Run it where the package is installed. What is the same for all processes comes in variables: GREENHOUSE_TOKEN and so on.
PATH="$PWD/node_modules/.bin:$PATH"
cd "$(dirname "$0")" || exit 1
trap 'kill $pids 2> /dev/null; wait' EXIT
trap 'exit 0' INT TERM
for port in 4011 4012 4013 4014; do
  greenhouse-mock serve --port $port --log silent &
  pids="$pids $!"
done
for port in 4011 4012 4013 4014; do
  until curl --silent --fail --output /dev/null http://127.0.0.1:$port/__greenhouse/health; do sleep 0.1; done
done
haproxy -db -f haproxy.cfg &
pids="$pids $!"
wait $!
