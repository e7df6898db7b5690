// Preloaded into the process that is measured: says its peak memory when it ends.
process.on("exit", () => {
  require("node:fs").writeSync(2, `maxrss ${process.resourceUsage().maxRSS * 1024}\n`);
});
