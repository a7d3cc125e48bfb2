#!/usr/bin/env bash
# Submits the invoices of a folder, follows them, and imports what arrives: see ../README.md.
#   DOSTAVA_URL=… DOSTAVA_KEY=… connector.sh <folder>
# Needs bash 4.4, curl 7.55, jq 1.5, flock, and sha256sum, base64, od, sync and truncate as GNU and busybox have them.
set -euo pipefail
umask 077

url=${DOSTAVA_URL:-http://127.0.0.1:8080}
url=${url%/}
integration=$url/api/integration/v1
extensions=$url/api/extensions/v1
folder=${1:-.}
state=$folder/state.tsv
# What is not final by then is left to the next run: an authority that is down must not keep arrivals from being imported.
wait_seconds=${DOSTAVA_WAIT_SECONDS:-120}
accepted=40
# The operator may have a rejected (50) or failed (55) document retried: it is asked for again for so long.
retriable_seconds=$((7 * 86400))
tries=10
longest_pause_ms=20000
# A service that asks for more is left to the next run.
longest_wait_seconds=300
# The service remembers a key for one hour. All tries take less, unless the machine sleeps between them.
longest_call_seconds=3000
reported=0

mkdir -p "$folder/containers" "$folder/imported"
# Two runs would submit a file twice. The lock ends with this shell, however that ends: what may outlive it does not inherit it (9>&-).
exec 9> "$folder/.lock"
flock -n 9 || {
  # Other numbers than 1 are of a file system without locks, or of a system without flock.
  if (($? == 1)); then echo 'another run is under way in this folder' >&2; else echo 'the folder cannot be locked' >&2; fi
  exit 1
}
# Those of earlier runs were left by a kill; a call of theirs that is still under way must find no place to write to.
rm -rf "$folder"/.work.*
work=$(mktemp -d "$folder/.work.XXXXXX")
trap 'rm -rf "$work"' EXIT
# In a file, since every user of a machine can see the arguments of programs.
printf 'X-Api-Key: %s\nX-Software-Id: connector-bash/1.0\n' "${DOSTAVA_KEY:-demo-alfa}" > "$work/headers"

# --- What is done: a line for each step, on disk before the next one.

declare -A begin taken refused final retried stored imported imported_bytes
# Arrivals that cannot be downloaded now.
declare -A left

take() {
  local -n rows=$1
  rows[$2]=${3-}$'\t'${4-}
  if [[ $1 == retried ]]; then final[$2]=''; fi
  if [[ $1 == imported && -n ${3-} ]]; then imported_bytes[$3]=$2; fi
}

read_state() {
  touch "$state"
  # A line that a crash has cut is no line. The file stays: a link to it would not lead to another one.
  if [[ -s $state ]] && (($(tail -c 1 "$state" | wc -l) == 0)); then
    truncate -s "$(head -n "$(wc -l < "$state")" "$state" | wc -c)" "$state"
  fi
  local kind name value sha256
  while IFS=$'\t' read -r kind name value sha256; do take "$kind" "$name" "$value" "$sha256"; done < "$state"
}

add() {
  if [[ "$*" == *[$'\t\n']* ]]; then
    echo "A name has a tab or a line break: $2" >&2
    exit 2
  fi
  local IFS=$'\t'
  printf '%s\n' "$*" >> "$state"
  sync "$state"
  take "$@"
}

# Whole and on disk under its name, or not there at all.
keep() {
  cp "$work/body" "$folder/$1.part"
  sync "$folder/$1.part"
  mv "$folder/$1.part" "$folder/$1"
}

# --- Calls. Each may be repeated: a submission by its key.

header() {
  sed -n "s/^$1: *//Ip" "$work/answer-headers" | tr -d '\r' | tail -n 1
}

# call [--file] [--await] [--read <jq filter>] <url> [arguments of curl …]: the answer in $work/body, what the filter finds in it in
# $found, its HTTP status in $status. Where it fails, what happened in $failure and the code of the service's error in $code.
call() {
  local is_usable=is_object filter=empty awaits='' tried pause_ms after began
  began=$(date +%s)
  while [[ $1 == --* ]]; do
    case $1 in
      --file) is_usable=is_whole ;;
      --await) awaits=1 ;;
      --read) filter=$2 && shift ;;
    esac
    shift
  done
  for ((tried = 1; ; tried += 1)); do
    after=0 code=''
    if status=$(exec curl -sS --max-time 60 --max-filesize 67108864 -H "@$work/headers" -o "$work/body" \
      -D "$work/answer-headers" -w '%{http_code}' "$@" 2> "$work/failure" 9>&-); then
      if [[ $status == 2* ]]; then
        if $is_usable; then return 0; fi
      else
        read_problem
        after=$(header Retry-After)
        if [[ $after =~ ^[0-9]{1,9}$ ]]; then after=$((10#$after)); else after=0; fi
        if ((after > longest_wait_seconds)); then return 1; fi
        if [[ $status != 408 && $status != 429 && $status != 5* && ! ($awaits && $status == 404 && $after -gt 0) ]]; then
          return 1
        fi
      fi
    else
      status=0
      failure=$(< "$work/failure")
    fi
    if ((tried >= tries)); then return 1; fi
    pause_ms=$((250 << tried))
    if ((pause_ms > longest_pause_ms)); then pause_ms=$longest_pause_ms; fi
    pause_ms=$((RANDOM % pause_ms + after * 1000))
    sleep "$((pause_ms / 1000)).$(printf %03d $((pause_ms % 1000)))" 9>&-
    if (($(date +%s) - began > longest_call_seconds)); then
      failure='too much time has passed; the next run goes on'
      return 1
    fi
  done
}

# What is none was cut or is not the service's, and counts as lost. One jq does all: its start takes longer than many a call.
is_object() {
  failure='the answer is not that of the service'
  found=$(jq -rs "if map(type) == [\"object\"] then .[0] | $filter else error end" "$work/body" 2> /dev/null)
}

# The code of a proxy may be a number, and it gives no detail, or no body at all.
read_problem() {
  local filter='.[0] | (.code | strings // ""), ([(.code | strings // $http), (.detail | strings)] | join(": "))'
  if failure=$(jq -rs --arg http "HTTP $status" "$filter" "$work/body" 2> /dev/null); then
    code=${failure%%$'\n'*}
    failure=${failure#*$'\n'}
  else
    failure="HTTP $status"
  fi
}

is_whole() {
  local hex
  failure='the bytes of the file are not those of its digest'
  hex=$(sha256sum < "$work/body")
  # The bytes of the digest, from its hexadecimal digits.
  # shellcheck disable=SC2059
  [[ $(header Repr-Digest) == *"sha-256=:$(printf "$(sed 's/../\\x&/g' <<< "${hex:0:64}")" | base64):"* ]]
}

give_up() {
  echo "$1: $failure" >&2
  exit 2
}

# What a service calls a document becomes a part of names of files.
check_identifier() {
  failure=$1
  [[ $1 =~ ^[0-9A-Za-z-]{1,64}$ ]] || give_up 'no identifier'
}

report() {
  reported=$((reported + 1))
  tell "$@"
}

# Before its line is added: a kill between them makes a message come twice, and never lost. Nobody may be there to read it.
tell() {
  (echo "$1: $2" >&2) || true
}

# --- The three things to do.

submit() {
  local file=$1 path=$folder/outbox/$1 sha256 key begun one doc_uid=''
  if [[ -n ${taken[$file]-} || -n ${refused[$file]-} ]]; then return; fi
  cp "$path" "$work/document"
  sha256=$(sha256sum < "$work/document")
  sha256=${sha256:0:64}
  if [[ -n ${begin[$file]-} ]]; then
    IFS=$'\t' read -r key begun <<< "${begin[$file]}"
    if [[ $begun != "$sha256" ]]; then
      report "$file" 'was changed after its submission began'
      return
    fi
    # The document with these bytes that no other file stands for.
    call --read '.items[].docUid' "$extensions/outbound?sha256=$sha256" || give_up "$file"
    while read -r one; do
      if [[ " ${taken[*]} " != *" $one"$'\t '* ]]; then doc_uid=$one && break; fi
    done <<< "$found"
  else
    key=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
    add begin "$file" "$key" "$sha256"
  fi
  if [[ -z $doc_uid ]]; then
    if ! call --read '.docUid // empty' "$integration/outbound" -H "X-Idempotency-Key: $key" -H 'Content-Type: application/xml' \
      --data-binary "@$work/document"; then
      # Other errors than these would meet every call.
      [[ $status =~ ^(400|409|413)$ ]] || give_up "$file"
      report "$file" "$failure"
      # What is not about the document itself, such as a tenant that must not submit, is tried again by the next run. Not where
      # the taxpayer went to the other environment meanwhile (409 without a code): a trial would become a real invoice.
      code=${code:-HTTP $status}
      if [[ $code =~ ^(ERR-(1007|2)|HTTP\ 409$) ]]; then add refused "$file" "$code"; fi
      return
    fi
    doc_uid=$found
    failure='the answer has no docUid'
    [[ -n $doc_uid ]] || give_up "$file"
  fi
  check_identifier "$doc_uid"
  add taken "$file" "$doc_uid"
}

# The version before noted no time: its lines are final.
may_change() {
  local number seen
  IFS=$'\t' read -r number seen <<< "${final[$1]-}"
  [[ -z $number || ($number =~ ^5[05]$ && $(date +%s) -lt $((${seen:-0} + retriable_seconds))) ]]
}

# A service that was restored may not have what it had taken.
is_lost() {
  [[ $status == 404 && $code == ERR-3001 ]]
}

report_lost() {
  report "$1" 'is not known to the service any more; ask its operator'
}

await_final() {
  local file=$1 doc_uid=$2 number noted
  while :; do
    noted=${final[$file]-}
    noted=${noted%%$'\t'*}
    if ! call --read '.status, "\(.failureCode) \(.failureMessage)"' "$integration/outbound/$doc_uid"; then
      is_lost || give_up "$file"
      # Of what it had rejected nothing is said.
      if [[ ! $noted =~ ^5[05]$ ]]; then report_lost "$file"; fi
      return
    fi
    number=${found%%$'\n'*}
    if [[ $number == "$noted" ]]; then return; fi
    if [[ $number =~ ^(40|50|55|60)$ ]]; then break; fi
    if [[ -n $noted ]]; then
      tell "$file" 'is being retried'
      add retried "$file"
    fi
    if ((SECONDS >= deadline)); then return; fi
    sleep 1 9>&-
  done
  if [[ $number != "$accepted" ]]; then
    report "$file" "ended in $number: ${found#*$'\n'}"
  elif [[ -n $noted || -n ${retried[$file]-} ]]; then
    tell "$file" 'was accepted after all'
  fi
  add final "$file" "$number" "$(date +%s)"
}

follow() {
  local file=$1 doc_uid=${taken[$1]%$'\t'}
  if may_change "$file"; then await_final "$file" "$doc_uid"; fi
  if [[ ${final[$file]-} != "$accepted"$'\t'* || -n ${stored[$file]-} ]]; then return; fi
  if ! call --file --await "$integration/outbound/$doc_uid/file?format=ujp"; then
    if is_lost; then report_lost "$file"; fi
    if [[ $status == 404 ]]; then return; fi
    give_up "$file"
  fi
  keep "containers/${file%.xml}.$doc_uid.ujp"
  add stored "$file"
}

import_arrivals() {
  local doc_uid doc_uids page=1
  # Acknowledged documents leave the list and its pages move: the first page, until it holds only what cannot be downloaded.
  while call --read '.items[].docUid' "$integration/inbound?onlyNotImported=true&page=$page" || give_up 'inbound'; do
    if [[ -z $found ]]; then return; fi
    mapfile -t doc_uids <<< "$found"
    page=$((page + 1))
    for doc_uid in "${doc_uids[@]}"; do
      check_identifier "$doc_uid"
      if [[ -n ${left[$doc_uid]-} ]]; then continue; fi
      page=1
      import_arrival "$doc_uid"
    done
  done
}

import_arrival() {
  local doc_uid=$1 sha256 known
  if [[ -z ${imported[$doc_uid]-} ]]; then
    if ! call --file "$integration/inbound/$doc_uid/file"; then
      # The service does not have the document any more, or its stored file is damaged; it comes again with the next run.
      [[ $status =~ ^(404|500)$ ]] || give_up "$doc_uid"
      report "$doc_uid" "cannot be downloaded: $failure"
      left[$doc_uid]=1
      return
    fi
    sha256=$(sha256sum < "$work/body")
    sha256=${sha256:0:64}
    known=${imported_bytes[$sha256]-}
    if [[ -z $known ]]; then keep "imported/$doc_uid"; else tell "$doc_uid" "is $known once more"; fi
    add imported "$doc_uid" "$sha256"
  fi
  call "$integration/inbound/$doc_uid/ack" -X POST || give_up "$doc_uid"
}

read_state
for path in "$folder"/outbox/*.xml; do
  if [[ -e $path ]]; then submit "${path##*/}"; fi
done
deadline=$((SECONDS + wait_seconds))
for file in "${!taken[@]}"; do follow "$file"; done
import_arrivals
exit $((reported == 0 ? 0 : 1))
