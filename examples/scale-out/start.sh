#!/bin/sh
# Starts four Greenhouse processes and then the proxy in front of them; ends all of them on Ctrl-C and SIGTERM.
# Run it where the package is installed. What is the same for all processes comes in variables: GREENHOUSE_TOKEN and so on.
PATH="$PWD/node_modules/.bin:$PATH"
cd "$(dirname "$0")" || exit 1
trap 'kill $pids 2> /dev/null; wait' EXIT
trap 'exit 0' INT TERM
fail() { echo "$1" >&2; exit 1; }
ask() { curl --silent --noproxy '*' --max-time 2 --output /dev/null "$@"; }
for port in 4010 4011 4012 4013 4014; do
  # curl ends with 7 where nobody listens.
  ask http://127.0.0.1:$port/
  [ $? = 7 ] || fail "Port $port is taken by another program."
done
for port in 4011 4012 4013 4014; do
  greenhouse-mock serve --port $port --log silent &
  pids="$pids $!"
  started="$started $port:$!"
done
for one in $started; do
  port=${one%:*}
  tries=0
  until ask --fail http://127.0.0.1:$port/__greenhouse/health; do
    kill -0 ${one#*:} 2> /dev/null || fail "The process at port $port has ended."
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "The process at port $port does not answer."
    sleep 0.1
  done
done
haproxy -db -f haproxy.cfg &
pids="$pids $!"
wait $!
