#!/bin/sh
# Runs once, as root, when the container is built. VERSION is the option of the feature: a tarball, since the package is not on npm yet.
set -e
npm install --global --no-audit --no-fund "greenhouse-mock@${VERSION:?name a tarball of greenhouse-mock, by file: or https:}"

cat > "${BIN:-/usr/local/bin}/greenhouse-start" <<'SCRIPT'
#!/bin/sh
# Starts the server in the background and waits until it answers.
log="${TMPDIR:-/tmp}/greenhouse.log"
greenhouse-mock status > /dev/null 2>&1 && exit 0
nohup greenhouse-mock serve --log json > "$log" 2>&1 &
for _ in $(seq 100); do
  greenhouse-mock status > /dev/null 2>&1 && exit 0
  sleep 0.1
done
cat "$log" >&2
exit 1
SCRIPT
chmod 755 "${BIN:-/usr/local/bin}/greenhouse-start"
