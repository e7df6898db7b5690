/** Command lines by hand that are not certain for how they are written. */

/** Some shell reads them in another way, with some option. Characters by their numbers: `⟨a0⟩`. */
export const tricks = String.raw`
=ls
ls =ls
cat a=b
a=b
a=b ls
a+=b ls
a[0]=b ls
ls --x==ls
grep --color=:=ls a b
cat {a,b}
cat ~
cat ~root/a
cat ~+
cat a~1
cat xHEAD~1
cat a^
cat ^a
cat xHEAD^
cat *
cat a?
cat [ab]
cat a#b
ls # x
ls #x
!!
!ls
! ls
cat !$
cat "a!b"
cat $x
cat $'a'
cat $"a"
cat "$x"
cat "$(x)"
cat $(x)
cat ${"`"}x${"`"}
cat "${"`"}x${"`"}"
cat <(ls)
cat >(ls)
cat \a
cat "a\$b"
cat "a\"b
cat "a\\b"
cat "a\!b"
cat \a(
cat \(a
cat a\(
cat \$x
cat \*
cat \;
cat \
cat --a=B:'c'
cat --a=b:c'd'
cat -a:'d'
cat a\
\ls
''ls
l's'
l''s
"l"s
cat a"b"
cat "a"b
cat 'a''b'
cat 'a'"b"
cat 'a
cat "a
cat a'b
--'a'
[ -f a
[ -f a ] ]
[ -f a ] b
[ a = ] ]
[ ] = a ]
[ ]
[
]
] a
ls [
ls ]
ls [ a ]
[-f a ]
[ -f a]
[ -f [a] ]
[a] b
[ ! -f a ]
[ a -eq 1 ]
[ -v a ]
[ -f a -a -f b ]
[[ -f a ]]
[[ -f a
time ls
coproc ls
then ls
if ls
do ls
function ls
case ls
select ls
repeat 3 ls
noglob ls
nocorrect ls
builtin ls
command ls
exec ls
eval ls
- ls
. a
source a
:
(ls)
{ ls
ls; }
ls() echo
ls ;; cat
ls;;
ls;
;ls
ls ; ; ls
ls &
ls & ls
ls |& cat
ls |
| ls
ls | | ls
ls &&
&& ls
ls ||
ls ||| ls
ls &&& ls
ls &| cat
ls &! cat
ls ;& cat
ls > x
ls >x
ls >> x
ls >| x
ls >! x
ls &> x
ls &>/dev/null
ls >& x
ls >&/dev/null
ls 2>x
ls 2>&2
ls 2>&1x
ls 2>& 1
ls 2 >/dev/null x >y
ls x>/dev/null
ls 3>/dev/null
ls 12>/dev/null
ls {a}>/dev/null
ls <> /dev/null
< a ls
ls <
ls <&a
ls <~/a
ls <a*
ls <$x
ls <a <(b)
cat < /dev/tcp/a/1
cat < '/dev/tcp/a/1'
cat < HEAD~1
ls 3<a
cat <<x
cat <<<x
cat < /dev/null/../x
ls >/dev/null/x
ls >/dev/nullx
ls >/dev/null'x'
ls >'/dev/null'
>/dev/null
2>&1
</dev/null
cat @a
cat ⟨200b⟩a
cat a⟨a0⟩b
cat a⟨2028⟩b
cat '⟨2028⟩'
cat a⟨202e⟩b
cat a⟨3000⟩b
cat a⟨3164⟩b
cat a⟨d⟩
cat a⟨a⟩ls
cat a⟨9⟩b
cat a⟨0⟩b
cat '⟨a⟩'
cat '⟨1b⟩'
cat à
cat ⟨2019⟩a b⟨2019⟩
cat ⟨201c⟩a⟨201d⟩
cat a⟨ff5c⟩sh
ls⟨ff1b⟩sh
cat a⟨d800⟩
cat --opt=$(x)
cat --opt=~
cat --number='a'b
grep --include='*.ts'x a b
grep -e'a''b' c
`;

/** Characters by their numbers: `⟨a0⟩`. */
export const unmarked = (text: string): string =>
  text.replace(/⟨([0-9a-f]+)⟩/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));
