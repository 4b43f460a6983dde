# Completion of scenec for bash. Written by `scenec-dev shells`.
_scenec() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options=
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W 'build watch frame sheet check timeline plan fmt ir explain docs fonts lsp codecs cache new help' -- "$word")
        return
    fi
    case $before in
    --cache) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
    --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word"); return ;;
    --data) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --format) mapfile -t COMPREPLY < <(compgen -W 'text json svg' -- "$word"); return ;;
    --log) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --output | -o) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --progress) mapfile -t COMPREPLY < <(compgen -W 'auto plain json none' -- "$word"); return ;;
    --root) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
    --also-host | --at | --bitrate | --cache-size | --clientProcessId | --codec | --count | --editor | --every | --fps | --frame | --from | --jobs | --limit | --older-than | --patience | --port | --preset | --quality | --rest | --row | --scale | --scene | --set | --shard | --shards | --size | --to | --width) return ;;
    esac
    case ${COMP_WORDS[1]} in
    build) options='--output --from --to --quality --bitrate --codec --preset --jobs --progress --timings --cache --no-cache --cache-size --shard --scale --width --size --fps --root --limit --color --quiet --set --data --row --scene' ;;
    watch) options='--port --open --read-only --no-preview --no-video --editor --also-host --output --from --to --quality --bitrate --codec --preset --jobs --progress --timings --cache --no-cache --cache-size --scale --width --size --fps --root --limit --color --quiet --set --data --row --scene' ;;
    frame) options='--at --frame --output --compress --scale --width --size --fps --root --limit --color --quiet --set --data --row --scene' ;;
    sheet) options='--every --count --output --compress --scale --width --size --fps --root --limit --color --quiet --set --data --row --scene' ;;
    check) options='--format --strict --fix --size --fps --root --limit --color --quiet --set --data --row --scene' ;;
    timeline) options='--format --verbose --no-sound --output --size --fps --root --limit --color --quiet --set --data --row --scene' ;;
    plan) options='--shards --format --size --fps --root --limit --color --quiet --set --data --row --scene' ;;
    fmt) options='--check --color --quiet' ;;
    ir) options='--frame --at --size --fps --root --limit --color --quiet --set --data --row --scene' ;;
    explain) options='--color' ;;
    docs) options='--color' ;;
    fonts) options='' ;;
    lsp) options='--root --set --limit --log --stdio' ;;
    codecs) options='' ;;
    cache) options='--cache --cache-size --older-than --color --quiet' ;;
    new) options='--from' ;;
    help) options='build watch frame sheet check timeline plan fmt ir explain docs fonts lsp codecs cache new help' ;;
    esac
    if [[ $word == -* || ${COMP_WORDS[1]} == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -X '!*.scene' -- "$word"; compgen -d -- "$word")
    fi
}
complete -o filenames -F _scenec scenec
