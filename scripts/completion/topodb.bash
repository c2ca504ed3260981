# Completion of topodb's commands and flags for bash:
#   source scripts/completion/topodb.bash
_topodb() {
  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]:-} words
  local common="--db --format --color --quiet --verbose --help"
  local guard="--guard --guard-allow --yes --allow-origin"
  local browser="--storage-state --browser --browser-arg --headed --connect --connect-remote
    --user-agent --header --http-credentials --viewport --locale --timezone"
  local drive="--allow --policy --include --exclude --rate $guard --timeout --clock --date --await-profile $browser"
  if ((COMP_CWORD == 1)); then
    words="capture runs show query diff check replay script await explain export import rm gc backup doctor --help --version"
  else
    case $command in
      capture)
        words="$common $drive --mode --name --seed --max-depth --max-actions --max-states
          --max-per-template --max-time --jobs --values --out --durable"
        ;;
      runs) words="$common --input" ;;
      show | explain) words="$common --run" ;;
      query)
        words="states elements edges skips failures observations path $common --run --all-runs --limit --count
          --url --state --from --to --element --role --name --risk --category --reason"
        ;;
      diff) words="$common --only --summary --force" ;;
      check) words="$common --repair-indexes" ;;
      replay) words="$common $drive --edge --from --to --base --deadline --allow-positional --from-step
          --plan-digest --values" ;;
      script) words="save show run $common $drive --to --force --env --base --deadline" ;;
      await)
        words="$common $guard $browser --profile --fill --submit --timeout --since-now --image
          --copy --no-store"
        ;;
      export) words="$common --as --output --to --guard" ;;
      import) words="$common --as --strict" ;;
      rm | backup) words="$common" ;;
      gc) words="$common --keep-last --older-than" ;;
      doctor) words="$common --browser" ;;
      *) words= ;;
    esac
  fi
  # File names where a value is expected or nothing fits.
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _topodb topodb
