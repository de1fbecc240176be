"""Settings of the sample project; the first is the only one scrapy-wrapinduce needs."""

WRAPINDUCE_ENABLED = True

BOT_NAME = "lantern"
SPIDER_MODULES = ["lantern.spiders"]
NEWSPIDER_MODULE = "lantern.spiders"
ROBOTSTXT_OBEY = True
# The site is on this machine and does not mind; be slower with other people's sites.
DOWNLOAD_DELAY = 0
CONCURRENT_REQUESTS_PER_DOMAIN = 8
TELNETCONSOLE_ENABLED = False
LOG_LEVEL = "INFO"
