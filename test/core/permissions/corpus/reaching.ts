/** Ways around a permission that worked somewhere: files elsewhere, and how a command is read. Written as `../corpus.ts` says. */
export const reaching = String.raw`
== auto +Bash(cd *) +Bash(echo *) +Bash(true *) +Bash(ls *) +Bash(cat *)
ask cd .. && cat secret
ask cd src/deep && { cd ../..; }; cat ../x
ask cd src/deep; ! cd ../..; cat ../x
ask cd src/deep; time cd ../..; cat ../x
ask cd src/deep; for i in 1 2 3; do cat ../../x; cd ..; done
ask cd src/deep; case x in a) cd ../..; cat ../x;; esac
ask case x in a) cd src/deep;; b) cat ../x;; esac
ask cd src/deep || true; cat ../x
ask cd nowhere; cat ../x
ask cd ..; cat secret
ask cd .. ; cd ws; cat x
ask { cd ..; }; cat secret
ask ! cd ..; cat secret
ask time cd ..; cat secret
ask if cd ..; then cat secret; fi
ask while cd ..; do cat secret; done
ask until ! cd ..; do cat secret; done
ask for i in 1 2; do cat secret; cd ..; done
ask case x in x) cd ..; cat secret;; esac
ask cd; cat secret
ask cd -; cat secret
ask cd ~; cat secret
ask cd "$x"; cat secret
ask cd $(pwd)/..; cat secret
ask cd /; cat etc/passwd
ask cd -P ..; cat secret
ask \cd ..; cat secret
ask "cd" ..; cat secret
ask command cd ..; cat secret
ask builtin cd ..; cat secret
ask pushd ..; cat secret
ask CDPATH=.. cd x && cat secret
ask export CDPATH=..; cd src && cat a.ts
ask : ${"$"}{CDPATH:=..}; cd src && cat a.ts
ask cdpath=(..); cd src && cat a.ts
ask POSIXLY_CORRECT=1 cat src/a.ts -n
ask export POSIXLY_CORRECT=1; cat src/a.ts
ask declare -x POSIXLY_CORRECT=1; cat src/a.ts
ask env POSIXLY_CORRECT=1 cat src/a.ts
ask read POSIXLY_CORRECT; cat src/a.ts
ask set -o posix; cat src/a.ts
ask bash --posix -c 'cat src/a.ts'
ask cd .. & cd ..; cat secret
ask set -o physical; ls
ask echo x > ~/.bashrc
ask echo x >| a
ask echo x &> a
ask echo x >& a
ask > a
ask : > a
ask echo x > "$f"
ask echo x > $(echo a)
ask echo x > .git/hooks/pre-commit
ask echo x > .vscode/tasks.json
ask echo x > ../a
ask cat > a <<EOF␊x␊EOF
ask cat <<EOF > a␊x␊EOF
ask cat <<EOF␊$(./evil)␊EOF
ask cat <<EOF␊${"`"}./evil${"`"}␊EOF
ask cat <<-EOF␊␉x␊␉EOF␊./evil
ask cat <<<$(./evil)
ask cat <<< "$(./evil)"
ask sh <<EOF␊./evil␊EOF
ask bash <<'EOF'␊./evil␊EOF
ask python3 <<'EOF'␊import os␊EOF
ask cat <<EOF | sh␊./evil␊EOF
ask echo a # it's␊./evil # it's
ask echo a #'␊./evil '
ask echo a␍./evil
ask echo a␀./evil
ask echo 'a
ask echo "a
ask echo $(ls
ask echo ${"$"}{x
ask echo a &&
ask echo a | | ls
ask ( ls
ask if ls
ask ls )
ask ls⟨202e⟩ a
ask echo a⟨200b⟩b
ask ls⟨ad⟩
ask lѕ
ask echo⟨3164⟩./evil
ask ls⟨a0⟩a
ask ls⟨1b⟩[2K
ask echo⟨b⟩a
ask ls⟨e0020⟩
ask ｌｓ
ask true && true && true && true && ./evil
ask ls && ls && ls; ls || ls | ./evil
ask ! ./evil
ask time ./evil
ask coproc ./evil
ask (./evil)
ask { ./evil; }
ask if ./evil; then ls; fi
ask while ./evil; do ls; done
ask for x in $(./evil); do ls; done
ask until ./evil; do ls; done
ask for f in *; do $f; done
ask select x in a; do ./evil; done

`;
