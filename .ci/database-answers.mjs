// Exits 0 when the database server of the given URL lets us in.
import { createConnection } from 'mysql2/promise';

const { hostname, port, username, password } = new URL(process.argv[2]);
const connection = await createConnection({
  host: hostname,
  port: Number(port || 3306),
  user: decodeURIComponent(username),
  password: decodeURIComponent(password),
  connectTimeout: 2000,
});
await connection.query('SELECT 1');
await connection.end();
