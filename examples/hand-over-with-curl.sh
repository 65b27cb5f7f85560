#!/bin/sh
# Hands work over, claims it and acknowledges it, with nothing but curl.
#
#   baton studio --no-open &
#   BATON_URL=http://127.0.0.1:4747 BATON_TOKEN=$(baton token create curl) sh examples/hand-over-with-curl.sh
set -eu

# ask OPERATION INPUT KEY: runs an operation. The token goes by standard input, where no list of processes shows it;
# the key makes a retry give the first answer once more, so that a broken connection never hands over twice.
ask() {
  printf 'Authorization: Bearer %s\n' "$BATON_TOKEN" |
    curl --silent --show-error --fail-with-body --retry 3 --header @- \
      --header 'Content-Type: application/json' --header "Idempotency-Key: $3" \
      --data "$2" "$BATON_URL/api/$1"
}

# field NAME ANSWER: the last value of that name in an answer.
field() {
  printf '%s' "$2" | sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"
}

run=$(date +%s)-$$

work='{"content":{"summary":"Finish the login form","next_steps":["Close the session on logout"]}}'
created=$(ask handoff.create "$work" "create-$run")
id=$(printf '%s' "$created" | sed 's/^{"id":"\([^"]*\)".*/\1/')
echo "handed over   $id"

claimed=$(ask handoff.claim "{\"id\":\"$id\"}" "claim-$run")
token=$(field token "$claimed")
echo "claimed       $id"

acknowledged=$(ask handoff.acknowledge "{\"id\":\"$id\",\"token\":\"$token\"}" "acknowledge-$run")
echo "$(field state "$acknowledged")  $id"
