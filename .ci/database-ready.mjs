// Exits with 0 if the database server of the given URL accepts connections.
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
