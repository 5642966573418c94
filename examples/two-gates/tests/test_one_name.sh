# One name is greeted; without a name, the world is.
[ "$(sh greet.sh Ada)" = "Hello, Ada!" ] || exit 1
[ "$(sh greet.sh)" = "Hello, world!" ] || exit 1
