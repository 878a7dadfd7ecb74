/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the newest text over HTTP. */
#include "common/compat.h"
#include "session/collection/scrape.h"
#include "common/xalloc.h"
#include "metrics/openmetrics.h"

#ifdef HAVE_MICROHTTPD
#include <arpa/inet.h>
#include <dlfcn.h>
#include <microhttpd.h>
#include <netinet/in.h>

/* Maximum bytes of a client's headers. */
#define HEADERS_MAX 8192

/*
 * Name of the library with this interface, since 0.9.71, the oldest version that
 * configure accepts.
 */
#define LIBRARY "libmicrohttpd.so.12"

/*
 * Loaded only when a port is requested: with its dependencies this takes a
 * millisecond, which every vigil would pay.
 */
static struct {
	__typeof__(MHD_start_daemon) *start_daemon;
	__typeof__(MHD_stop_daemon) *stop_daemon;
	__typeof__(MHD_get_daemon_info) *get_daemon_info;
	__typeof__(MHD_run) *run;
	__typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
	__typeof__(MHD_add_response_header) *add_response_header;
	__typeof__(MHD_destroy_response) *destroy_response;
	__typeof__(MHD_queue_response) *queue_response;
} http;

/* Loads the library and its functions. */
static int load(struct error *err)
{
	const struct {
		const char *name;
		void *to;
	} functions[] = {
		{ "MHD_start_daemon", &http.start_daemon },
		{ "MHD_stop_daemon", &http.stop_daemon },
		{ "MHD_get_daemon_info", &http.get_daemon_info },
		{ "MHD_run", &http.run },
		{ "MHD_create_response_from_buffer", &http.create_response_from_buffer },
		{ "MHD_add_response_header", &http.add_response_header },
		{ "MHD_destroy_response", &http.destroy_response },
		{ "MHD_queue_response", &http.queue_response },
	};
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	RETURN_IF(!library, error_set(err, "a port needs " LIBRARY ": %s", dlerror()));
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *found = dlsym(library, functions[i].name);

		RETURN_IF(!found, error_set(err, "a port needs a different " LIBRARY ": %s", dlerror()));
		memcpy(functions[i].to, &found, sizeof(found));
	}
	return 0;
}

struct scrape {
	struct MHD_Daemon *daemon;
	struct MHD_Response *newest; /* NULL: no snapshot yet */
	struct MHD_Response *nothing, *elsewhere;
};

/* Creates a response with one sentence. */
static struct MHD_Response *make_sentence(const char *text)
{
	struct MHD_Response *response =
		http.create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);

	http.add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain");
	return response;
}

static enum MHD_Result answer(void *argument, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version UNUSED,
			      const char *upload UNUSED, size_t *upload_size UNUSED,
			      void **state UNUSED)
{
	struct scrape *scrape = argument;

	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return http.queue_response(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
					  scrape->elsewhere);
	if (strcmp(url, "/metrics") != 0)
		return http.queue_response(connection, MHD_HTTP_NOT_FOUND, scrape->elsewhere);
	if (!scrape->newest)
		return http.queue_response(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
					  scrape->nothing);
	return http.queue_response(connection, MHD_HTTP_OK, scrape->newest);
}

struct scrape *scrape_open(uint16_t port, struct error *err)
{
	const struct sockaddr_in address = { .sin_family = AF_INET,
					     .sin_port = htons(port),
					     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct scrape *scrape;

	RETURN_IF(load(err) < 0, NULL);
	scrape = xcalloc(1, sizeof(*scrape));
	scrape->daemon = http.start_daemon(
		MHD_USE_EPOLL, port, NULL, NULL, answer, scrape, MHD_OPTION_SOCK_ADDR, &address,
		MHD_OPTION_CONNECTION_LIMIT, SCRAPE_CLIENTS, MHD_OPTION_CONNECTION_TIMEOUT,
		SCRAPE_PATIENCE, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS_MAX,
		MHD_OPTION_END);
	if (!scrape->daemon) {
		error_errno(err, "cannot listen on port %u of 127.0.0.1", port);
		free(scrape);
		return NULL;
	}
	scrape->nothing = make_sentence("There is no snapshot yet.\n");
	scrape->elsewhere = make_sentence("The metrics are at /metrics.\n");
	return scrape;
}

void scrape_close(struct scrape *scrape)
{
	if (!scrape)
		return;
	http.stop_daemon(scrape->daemon);
	if (scrape->newest)
		http.destroy_response(scrape->newest);
	http.destroy_response(scrape->nothing);
	http.destroy_response(scrape->elsewhere);
	free(scrape);
}

uint16_t scrape_port(const struct scrape *scrape)
{
	return http.get_daemon_info(scrape->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

int scrape_descriptor(const struct scrape *scrape)
{
	return http.get_daemon_info(scrape->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

bool scrape_busy(const struct scrape *scrape)
{
	return http.get_daemon_info(scrape->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS)
		       ->num_connections > 0;
}

void scrape_serve(struct scrape *scrape)
{
	http.run(scrape->daemon);
}

void scrape_publish(struct scrape *scrape, const struct strbuf *text)
{
	struct MHD_Response *response =
		http.create_response_from_buffer(text->length, text->text, MHD_RESPMEM_MUST_COPY);

	if (!response)
		return;
	http.add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, OPENMETRICS_MEDIA_TYPE);
	if (scrape->newest)
		http.destroy_response(scrape->newest);
	scrape->newest = response;
	scrape_serve(scrape);
}

#else

struct scrape *scrape_open(uint16_t port UNUSED, struct error *err)
{
	error_set(err, "vigil was built without libmicrohttpd-dev, so it has no port");
	return NULL;
}

void scrape_close(struct scrape *scrape UNUSED)
{
}

uint16_t scrape_port(const struct scrape *scrape UNUSED)
{
	return 0;
}

int scrape_descriptor(const struct scrape *scrape UNUSED)
{
	return -1;
}

bool scrape_busy(const struct scrape *scrape UNUSED)
{
	return false;
}

void scrape_serve(struct scrape *scrape UNUSED)
{
}

void scrape_publish(struct scrape *scrape UNUSED, const struct strbuf *text UNUSED)
{
}
#endif
