// Runs exported tests with the browser that $TOPODB_BROWSER names.
export default {
  testDir: process.env.TOPODB_SPECS,
  outputDir: `${process.env.TOPODB_SPECS}/results`,
  timeout: 20_000,
  reporter: 'line',
  use: {
    launchOptions: { executablePath: process.env.TOPODB_BROWSER, args: ['--no-sandbox'] },
  },
};
