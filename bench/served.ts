/*
 * Starts the service as `npm start` does, and ends it when whoever started it has gone.
 */
process.once('disconnect', () => process.exit(1));
await import('../src/main.js');
