/** Endings that files have; without a folder before it, `@pytest.fixture` is no file and `@setup.py` is one. */
export const fileEndings = new Set(
  (
    "astro bash bat bib bicep c cc cfg cjs clj cljs cmake cmd conf config cpp cs csproj css csv cts cu cxx dart diff doc docx " +
    "edn ejs elm env erl ex exs fish fs fsx gif go gql gradle graphql groovy h hbs hcl hh hpp hrl hs html hxx ico ini ipynb " +
    "java jl jpeg jpg js json json5 jsonc jsonl jsx kt kts less lock log lua m md mdc mdx mjs mk ml mli mm mts nix pas patch pdf php " +
    "pl plist png pm po prisma properties proto ps1 psd1 psm1 pug py pyi pyx r rake rb razor rkt rmd rs rst sass sbt scala scm " +
    "scss sh sln snap sol sql sty svelte svg swift tcl tex tf tfvars toml tpl ts tsx tsv txt vb vue wasm webp xaml xml yaml yml zig zsh"
  ).split(" "),
);
